import type { ScanLocation } from '#contracts/detection/scan-result.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { detectionTexts } from './detection-texts.ts'
import { methodLabel } from './method-label.ts'

/** A location in a package, in one line: class and method, or entry and path; the offset in hexadecimal as decompilers show it. */
export function LocationLine({ location }: { location: ScanLocation }) {
  const t = useTexts(detectionTexts)
  const code = location.class !== undefined
  return (
    <span className="font-mono text-12 [overflow-wrap:anywhere]">
      {code ? (
        <>
          <span>{location.class}</span>
          {location.method !== undefined && (
            <span className="font-semibold" title={location.method}>
              .{methodLabel(location.method)}
            </span>
          )}
          {location.line !== undefined && <span className="text-muted">:{location.line}</span>}
          <span className="text-muted"> {location.entry}</span>
        </>
      ) : (
        <>
          <span>{location.entry}</span>
          {location.path !== undefined && <span className="font-semibold"> {location.path}</span>}
          {location.line !== undefined && <span className="text-muted">:{location.line}</span>}
        </>
      )}
      {location.offset >= 0 && (
        <span className="text-muted"> {t('bytes', { offset: `0x${location.offset.toString(16)}` })}</span>
      )}
    </span>
  )
}

/** A location with the decoded lines around it. */
export function LocationView({ location }: { location: ScanLocation }) {
  const t = useTexts(detectionTexts)
  return (
    <div className="min-w-0">
      <LocationLine location={location} />
      {location.snippet && location.snippet.length > 0 && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must be scrollable by keyboard
          tabIndex={0}
          aria-label={t('snippet')}
          className="mt-1.5 max-h-72 overflow-auto rounded border bg-code px-3 py-2"
        >
          <pre className="font-mono text-12/5">{location.snippet.join('\n')}</pre>
        </section>
      )}
    </div>
  )
}
