import { BrandMark } from '#src/shared/ui/brand.tsx'

/** While the first page loads; shown only when that takes longer than 200 ms. */
export function Splash() {
  return (
    <div className="late flex h-full items-center justify-center" role="status" aria-label="AppWarden">
      <BrandMark size={40} />
    </div>
  )
}
