import { PAGE_LENGTH } from '#domain/query.ts'

/** Path of the page that an event's free detail names, '' where it names none; `extra` is the stored text. */
export function pageOf(extra: string): string {
  if (!extra.includes('"page"')) return ''
  const { detail } = JSON.parse(extra) as { detail?: unknown }
  const page = typeof detail === 'object' && detail !== null && 'page' in detail ? detail.page : undefined
  return typeof page === 'string' ? [...page].slice(0, PAGE_LENGTH).join('') : ''
}
