import { useEffect, useState } from 'react'

/** Heights of chart and rows of a table: both take what a tall window has to spare. */
export function useHeights(): { chart: number; rows: number } {
  const [height, setHeight] = useState(window.innerHeight)
  useEffect(() => {
    const onResize = () => setHeight(window.innerHeight)
    window.addEventListener('resize', onResize)
    return () => window.removeEventListener('resize', onResize)
  }, [])
  return height >= 1000 ? { chart: 264, rows: 10 } : height >= 860 ? { chart: 200, rows: 7 } : { chart: 196, rows: 6 }
}
