import { encode } from 'uqr'

/** A QR code, dark on white in every theme, since cameras expect it so. `text`: what it holds; `label`: what it is for. */
export function QrCode({ text, label, size = 180 }: { text: string; label: string; size?: number }) {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
      className="rounded border bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
