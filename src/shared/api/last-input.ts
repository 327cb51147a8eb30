let at = Date.now()

if (typeof addEventListener === 'function')
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    addEventListener(kind, noteInput, { passive: true, capture: true })

/** Counts as input of the user: also what asks him whether he is still there. */
export function noteInput(): void {
  at = Date.now()
}

/** Whole seconds since the user last did something on this page: the x-idle header. */
export function idleSeconds(): number {
  return Math.max(0, Math.floor((Date.now() - at) / 1000))
}
