import type { ReactNode } from 'react'
import { CopyText } from '../ui/copy-text.tsx'

/** A part of the drawer: bold head, hairline below. */
export function Part({ title, note, children }: { title: ReactNode; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="border-b px-5 py-3 last:border-b-0">
      <h3 className="mb-2 flex items-center justify-between gap-2 text-12/4 font-semibold">
        {title}
        {note && <span className="font-normal text-muted">{note}</span>}
      </h3>
      {children}
    </section>
  )
}

/** Word and value, line by line; lines without a value are left out. `mono` values can be copied. */
export function Facts({ lines }: { lines: readonly { word: string; value: ReactNode; copy?: boolean }[] }) {
  return (
    <dl className="grid grid-cols-[64px_minmax(0,1fr)] gap-x-2 gap-y-1">
      {lines
        .filter((line) => line.value !== '' && line.value != null)
        .map(({ word, value, copy }) => (
          <div key={word} className="contents">
            <dt className="text-muted">{word}</dt>
            <dd className="min-w-0 break-words">
              {copy && typeof value === 'string' ? <CopyText value={value} short /> : value}
            </dd>
          </div>
        ))}
    </dl>
  )
}
