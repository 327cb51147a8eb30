import { useEffect, useRef } from 'react'

/** Open layers without focus trap, newest last: Esc closes the last one only. Menus and dialogs take Esc before it gets here. */
const layers: { close: () => void }[] = []

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
  const top = layers.at(-1)
  if (!top) return
  event.preventDefault()
  top.close()
}

export function useEscapeLayer(isOpen: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (!isOpen) return
    const layer = { close: () => close.current() }
    if (layers.length === 0) document.addEventListener('keydown', onKeyDown)
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [isOpen])
}
