const LINE = '.text-clip-line'
const HOVER_MS = 400
const GAP = 4

/**
 * Where a line is cut, its whole text shows beside it: under the pointer, and for what has the keyboard's focus. One tip for all lines;
 * readers have the words already.
 */
export function installOverflowTooltip(): void {
  const tip = document.createElement('div')
  tip.className =
    'pop fixed z-1000 max-w-96 rounded-small bg-tip px-2 py-1 text-12 text-tip-on pointer-events-none break-words'
  tip.ariaHidden = 'true'
  let soon: ReturnType<typeof setTimeout> | undefined
  let at: Element | null = null

  const hide = () => {
    clearTimeout(soon)
    tip.remove()
    at = null
  }
  const show = (lines: readonly Element[]) => {
    const box = lines[0]?.getBoundingClientRect()
    if (!box) return
    tip.textContent = lines.map((line) => line.textContent).join(' · ')
    tip.style.left = tip.style.top = '0'
    document.body.append(tip)
    const { width, height } = tip.getBoundingClientRect()
    const below = box.bottom + GAP + height < innerHeight
    tip.style.left = `${Math.max(GAP, Math.min(box.left, innerWidth - width - GAP))}px`
    tip.style.top = `${below ? box.bottom + GAP : box.top - GAP - height}px`
  }

  document.addEventListener('pointerover', ({ target, pointerType }) => {
    const line = pointerType === 'mouse' ? (target as Element).closest(LINE) : null
    if (line === at) return
    hide()
    // A title of its own is shown by the browser.
    if (!line || line.hasAttribute('title') || !isCut(line)) return
    at = line
    soon = setTimeout(() => show([line]), HOVER_MS)
  })
  document.addEventListener('focusin', ({ target }) => {
    hide()
    const focused = target as Element
    // A row of a table is opened to be read.
    if (focused.matches('tr, [tabindex="-1"]') || !focused.matches(':focus-visible')) return
    const lines = [focused, ...focused.querySelectorAll(LINE)].filter((one) => one.matches(LINE) && isCut(one))
    // The focus may have scrolled; the scroll event comes a frame later.
    requestAnimationFrame(() => document.activeElement === focused && show(lines.slice(0, 3)))
  })
  for (const event of ['focusout', 'pointerdown', 'keydown', 'scroll']) document.addEventListener(event, hide, true)
}

function isCut(line: Element): boolean {
  return line.scrollWidth > line.clientWidth
}
