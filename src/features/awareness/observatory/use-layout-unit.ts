import { type RefObject, useEffect, useState } from 'react'

/** One unit of the layout in real pixels (wall.css, --u), measured on the probe inside the wall. */
export function useLayoutUnit(probe: RefObject<HTMLElement | null>): number {
  const [unit, setUnit] = useState(1)
  useEffect(() => {
    const element = probe.current
    if (!element) return
    const measure = () => setUnit(element.getBoundingClientRect().width / 100 || 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [probe])
  return unit
}

/** How many rows of `height` units fit into the element, at most `most`. */
export function useFit(ref: RefObject<HTMLElement | null>, unit: number, height: number, most: number): number {
  const [fit, setFit] = useState(most)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setFit(Math.max(1, Math.min(most, Math.floor((element.clientHeight + 1) / (height * unit)))))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, unit, height, most])
  return fit
}

/** Width of the element in pixels; 0 until it is measured. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
