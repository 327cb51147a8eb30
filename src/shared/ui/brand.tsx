import { usePlatform } from '#src/shared/session/platform-store.ts'

/** Our mark, or the installation's own logo at the same height and at most `wide` times as wide. */
export function BrandMark({ size = 24, wide = 4 }: { size?: number; wide?: number }) {
  const logo = usePlatform((state) => state.logo)
  if (logo)
    return (
      <img
        src={logo}
        alt=""
        className="w-auto flex-none object-contain"
        style={{ height: size, maxWidth: size * wide }}
      />
    )
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" className="flex-none">
      <path d="M12 1.8 20.6 5v6.6c0 5-3.5 8.7-8.6 10.6C6.9 20.3 3.4 16.6 3.4 11.6V5Z" className="fill-brand" />
      <path d="M12 6.6 16.4 11 12 15.4 7.6 11Z" fill="white" />
    </svg>
  )
}

/** The installation's own logo and name, or ours. */
export function Brand() {
  const product = usePlatform((state) => state.product)
  return (
    <span className="flex min-w-0 items-center gap-2.5 text-16 font-semibold">
      <BrandMark wide={2} />
      <span className="text-clip-line">{product}</span>
    </span>
  )
}
