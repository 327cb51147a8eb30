import type { RefObject } from 'react'
import { SEARCH_KINDS, type SearchHit } from '#contracts/http/search.ts'
import type { Level } from '#domain/vocabulary.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { MarkedText } from '#src/shared/ui/marked-text.tsx'
import { HIT_ICONS } from './hit-icons.ts'
import { KeyHint } from './key-hint.tsx'
import type { PaletteGroup, PaletteRow } from './palette-rows.ts'
import { paletteTexts } from './palette-texts.ts'
import type { Found } from './use-search.ts'

/** Findings and vulnerabilities have other words for the same levels. */
const LEVEL_OF: Readonly<Record<string, Level>> = {
  ...{ critical: 'critical', high: 'high', medium: 'medium', low: 'low', info: 'info' },
  ...{ super: 'critical', middle: 'medium' },
}

/** Results under their headings; below them what did not answer. */
export function PaletteList({
  box,
  id,
  groups,
  current,
  text,
  found,
  onChoose,
  onRun,
  onTrace,
}: {
  box: RefObject<HTMLDivElement | null>
  id: string
  groups: readonly PaletteGroup[]
  current: PaletteRow | undefined
  text: string
  found: Found
  onChoose: (id: string) => void
  onRun: (row: PaletteRow, newTab: boolean) => void
  /** Where more can be searched, for those who may. */
  onTrace: (() => void) | undefined
}) {
  const t = useTexts(paletteTexts)
  const language = useLanguage()
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const isEmpty = groups.every(({ rows }) => rows.length === 0)
  return (
    <div className="flex min-h-0 flex-col">
      <div
        ref={box}
        id={id}
        role="listbox"
        aria-label={t('kinds')}
        className={isEmpty ? 'hidden' : 'min-h-0 overflow-auto p-1'}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options of a listbox
          <div key={group.id} role="group" aria-label={group.title}>
            <div role="presentation" className="flex justify-between px-3 pt-2 pb-1 text-12 text-muted">
              <span>{group.title}</span>
              {group.more && <span>{t('more')}</span>}
            </div>
            {group.rows.map((row) => {
              const here = row === current
              return (
                <div
                  key={row.id}
                  id={`${id}-${row.id}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={here}
                  onPointerMove={() => !here && onChoose(row.id)}
                  onClick={(event) => onRun(row, event.ctrlKey || event.metaKey)}
                  onKeyDown={(event) => event.key === 'Enter' && onRun(row, event.ctrlKey)}
                  className={`flex cursor-pointer items-center gap-2.5 rounded-small px-3 max-sm:min-h-11 ${here ? 'bg-selected' : ''}`}
                >
                  {'hit' in row ? <HitRow hit={row.hit} words={words} /> : <ActionRow row={row} words={words} />}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      {isEmpty && !found.isSearching && !found.error && (
        <EmptyState
          kind="filtered"
          title={t('none')}
          hint={t('noneHint')}
          {...(onTrace && { action: <Button onPress={onTrace}>{t('events')}</Button> })}
        />
      )}
      {isEmpty && found.isSearching && <div className="min-h-40" />}
      {(found.error || found.unanswered.length > 0) && (
        <div role="status" className="flex items-center gap-2 px-4 py-2 text-12 text-warn-text">
          <span className="min-w-0 flex-1">
            {found.error
              ? t('failed')
              : t('slow', {
                  kinds: found.unanswered
                    .map((kind) => SEARCH_KINDS[kind][language])
                    .join(language === 'zh' ? '、' : ', '),
                })}
          </span>
          <Button size="small" onPress={found.retry}>
            {t('retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

function ActionRow({ row, words }: { row: Extract<PaletteRow, { action: unknown }>; words: readonly string[] }) {
  const { action } = row
  return (
    <>
      <span className="flex h-9 w-4 flex-none items-center justify-center text-muted">
        {action.icon && <Icon of={action.icon} />}
      </span>
      <span className="text-clip-line min-w-0 flex-1">
        <MarkedText text={action.label} words={words} />
      </span>
      {action.keys && <KeyHint keys={action.keys} />}
    </>
  )
}

function HitRow({ hit, words }: { hit: SearchHit; words: readonly string[] }) {
  const language = useLanguage()
  const level = LEVEL_OF[hit.level]
  return (
    <>
      <span className="flex h-11 w-4 flex-none items-center justify-center text-muted">
        {level ? <LevelMark level={level} word={false} /> : <Icon of={HIT_ICONS[hit.kind]} />}
      </span>
      <span className="min-w-0 flex-1 py-1">
        <span className="text-clip-line block">
          <MarkedText text={hit.title[language]} words={words} />
        </span>
        <span className="text-clip-line block text-12 text-muted">
          <MarkedText text={hit.note[language]} words={words} />
        </span>
      </span>
    </>
  )
}
