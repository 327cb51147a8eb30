import type { ScanPlace } from '#contracts/detection/scan-result.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { detectionTexts } from './detection-texts.ts'
import { methodLabel } from './method-label.ts'

/** A location in a package, in one line: class and method, or entry and path; the offset in hexadecimal as decompilers show it. */
export function LocationLine({ place }: { place: ScanPlace }) {
  const t = useTexts(detectionTexts)
  const code = place.class !== undefined
  return (
    <span className="font-mono text-12 [overflow-wrap:anywhere]">
      {code ? (
        <>
          <span>{place.class}</span>
          {place.method !== undefined && (
            <span className="font-semibold" title={place.method}>
              .{methodLabel(place.method)}
            </span>
          )}
          {place.line !== undefined && <span className="text-muted">:{place.line}</span>}
          <span className="text-muted"> {place.entry}</span>
        </>
      ) : (
        <>
          <span>{place.entry}</span>
          {place.path !== undefined && <span className="font-semibold"> {place.path}</span>}
          {place.line !== undefined && <span className="text-muted">:{place.line}</span>}
        </>
      )}
      {place.offset >= 0 && (
        <span className="text-muted"> {t('bytes', { offset: `0x${place.offset.toString(16)}` })}</span>
      )}
    </span>
  )
}

/** A place with the decoded lines around it. */
export function LocationView({ place }: { place: ScanPlace }) {
  const t = useTexts(detectionTexts)
  return (
    <div className="min-w-0">
      <LocationLine place={place} />
      {place.snippet && place.snippet.length > 0 && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must be scrollable by keyboard
          tabIndex={0}
          aria-label={t('snippet')}
          className="mt-1.5 max-h-72 overflow-auto rounded border bg-code px-3 py-2"
        >
          <pre className="font-mono text-12/5">{place.snippet.join('\n')}</pre>
        </section>
      )}
    </div>
  )
}
