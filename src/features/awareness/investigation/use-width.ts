import { type RefCallback, useCallback, useRef, useState } from 'react'

/** Width of an element in px, followed; 0 before the first measure. */
export function useWidth(): [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(0)
  const observer = useRef<ResizeObserver>(undefined)
  const ref = useCallback((node: HTMLElement | null) => {
    observer.current?.disconnect()
    if (!node) return
    setWidth(node.clientWidth)
    observer.current = new ResizeObserver(() => setWidth(node.clientWidth))
    observer.current.observe(node)
  }, [])
  return [ref, width]
}
