import { CircleCheck, Link as LinkIcon, TriangleAlert } from 'lucide-react'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { entryTexts } from './entry-texts.ts'
import type { EntryDetail } from './log-types.ts'

/** The entry between its neighbours, what its hash says, the checkpoint that covers it, and where copies went. */
export function EntryChain({ entry, onOpen }: { entry: EntryDetail; onOpen: (id: number) => void }) {
  const t = useTexts(entryTexts)
  const zone = usePlatform((state) => state.zone)
  const { id, hash, fits, previous, next, checkpoint, outputs } = entry
  return (
    <Section
      plain
      title={t('chain')}
      className="border-b pb-3"
      actions={
        <span
          className={`inline-flex items-center gap-1.5 pr-2 ${fits ? 'text-good-text' : 'font-semibold text-bad-text'}`}
          title={t('fitsHint')}
        >
          <Icon of={fits ? CircleCheck : TriangleAlert} size={14} />
          {t(fits ? 'fits' : 'fitsNot')}
        </span>
      }
    >
      <ol className="px-5">
        {previous ? (
          <Neighbour {...previous} onOpen={onOpen} />
        ) : (
          <li className="flex h-7 items-center text-12 text-muted">{t('first')}</li>
        )}
        <li className="flex h-7 items-center gap-2 font-semibold" aria-current="true">
          <Icon of={LinkIcon} size={14} className="text-brand-text" />
          <span className="w-24">#{id}</span>
          <CopyText value={hash} short />
        </li>
        {next ? (
          <Neighbour {...next} onOpen={onOpen} />
        ) : (
          <li className="flex h-7 items-center text-12 text-muted">{t('last')}</li>
        )}
      </ol>
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 px-5 pt-2">
        <Fact name={t('checkpoint')}>
          {checkpoint
            ? t('covered', { id: checkpoint.id, time: formatDateTime(checkpoint.at, zone, 'minute', Date.now()) })
            : t('notCovered')}
        </Fact>
        <Fact name={t('outputs')}>
          {outputs.length === 0 ? (
            <span className="text-muted">{t('noOutputs')}</span>
          ) : (
            outputs.map(({ name, sent }) => (
              <span key={name} className="mr-3 inline-block">
                {name} <span className={sent ? 'text-good-text' : 'text-muted'}>{t(sent ? 'sent' : 'waiting')}</span>
              </span>
            ))
          )}
        </Fact>
      </dl>
    </Section>
  )
}

function Neighbour({ id, hash, onOpen }: { id: number; hash: string; onOpen: (id: number) => void }) {
  return (
    <li className="flex h-7 items-center gap-2">
      <Icon of={LinkIcon} size={14} className="text-muted" />
      <button type="button" onClick={() => onOpen(id)} className="w-24 text-left text-brand-text hover:underline">
        #{id}
      </button>
      <CopyText value={hash} short />
    </li>
  )
}
