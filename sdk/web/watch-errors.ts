import type { Client } from './client.ts'

type Listen = (target: EventTarget, type: string, work: (event: never) => void, capture?: boolean) => void

/** Uncaught errors, unhandled rejections, and the way there: clicks and navigation, without what was typed or shown. */
export function watchErrors(client: Client, listen: Listen): void {
  listen(window, 'error', (event: ErrorEvent) => {
    if (event.message)
      report(client, event.error, event.message, { source: `${event.filename}:${event.lineno}:${event.colno}` })
  })
  listen(window, 'unhandledrejection', (event: PromiseRejectionEvent) => {
    report(client, event.reason, 'unhandled rejection', { rejected: true })
  })
  listen(
    document,
    'click',
    ({ target }: MouseEvent) => {
      if (target instanceof Element)
        client.breadcrumb('tap', `${target.localName}${target.id && `#${target.id}`}${nameOf(target)}`)
    },
    true,
  )
  for (const type of ['popstate', 'hashchange'])
    listen(window, type, () => client.breadcrumb('page', location.pathname))
}

/** An exception as it was thrown: of an Error its name, message and stack. */
export function report(client: Client, thrown: unknown, otherwise: string, more?: Record<string, unknown>): void {
  const error = thrown instanceof Error ? thrown : undefined
  const message = error?.message ?? (thrown == null ? otherwise : String(thrown))
  client.exception({ reason: error?.name ?? 'Error', message, stack: error?.stack ?? '', ...more })
}

function nameOf(element: Element): string {
  const name = element.getAttribute('name') ?? element.getAttribute('class')?.split(' ')[0]
  return name ? `.${name}` : ''
}
