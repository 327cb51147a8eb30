import { CircleCheck, CircleX } from 'lucide-react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { componentTexts } from '../component-texts.ts'
import type { Stage } from './live-test-state.ts'

const NOTES = {
  hello: 'helloNote',
  handshake: 'handshakeNote',
  confirm: 'confirmNote',
  seal_: 'sealNote',
  sendHello: 'sendNote',
  sendMessage: 'sendNote',
  find: 'findNote',
  open: 'openNote',
  claim: 'claimNote',
  upstream: 'upstreamNote',
  seal: null,
  open_: 'openedNote',
} as const

export function ms(micros: number): string {
  const value = micros / 1000
  return value < 10 ? value.toFixed(2) : value.toFixed(1)
}

/** Every step with bytes and time, in the order in which they happened; those of the gateway are indented. */
export function StageList({ stages, keyText }: { stages: readonly Stage[]; keyText: string }) {
  const t = useTexts(componentTexts)
  return (
    <ol className="pb-2" aria-label={t('test')}>
      {stages.map((stage, at) => {
        const note = NOTES[stage.id]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
          <li key={at} className="relative flex min-h-8 items-center gap-3 pr-5 pl-5 max-lg:px-4" data-stage={stage.id}>
            <span className={`flex min-w-0 flex-1 items-center gap-3 ${stage.place === 'gateway' ? 'pl-6' : ''}`}>
              <Icon
                of={stage.isOk ? CircleCheck : CircleX}
                size={14}
                className={stage.isOk ? 'text-good-text' : 'text-bad-text'}
              />
              <span className="w-44 flex-none">{t(stage.id)}</span>
              <span className="text-clip-line min-w-0 flex-1 text-12 text-muted max-sm:hidden">
                {note && t(note, { key: keyText })}
              </span>
            </span>
            <span className="w-28 flex-none text-right text-12 text-muted tabular-nums max-sm:w-20">
              {stage.bytes > 0 && (stage.into === undefined ? `${stage.bytes} B` : `${stage.bytes} → ${stage.into} B`)}
            </span>
            <span className="w-20 flex-none text-right tabular-nums">{ms(stage.micros)} ms</span>
          </li>
        )
      })}
    </ol>
  )
}

const PARTS = [
  { id: 'browser', className: 'bg-scale-2' },
  { id: 'network', className: 'bg-scale-3' },
  { id: 'gateway', className: 'bg-scale-5' },
  { id: 'upstream', className: 'bg-scale-4' },
] as const

/** Where the time went, as one bar. */
export function TimeBar({ stages }: { stages: readonly Stage[] }) {
  const t = useTexts(componentTexts)
  const sums = { browser: 0, network: 0, gateway: 0, upstream: 0 }
  for (const { id, place, micros } of stages) {
    const part =
      id === 'upstream' ? 'upstream' : place === 'gateway' ? 'gateway' : /^send/.test(id) ? 'network' : 'browser'
    sums[part] += micros
  }
  return (
    <section className="border-t px-5 py-3 max-lg:px-4" aria-label={t('time')}>
      <h3 className="mb-2 text-14 font-semibold">
        {t('time')} <span className="text-12 font-normal text-muted">{t('ms')}</span>
      </h3>
      <div aria-hidden className="flex h-3.5 gap-px overflow-hidden rounded-small">
        {PARTS.map(({ id, className }) => (
          <div key={id} className={`min-w-0.5 ${className}`} style={{ flexGrow: Math.max(1, sums[id]) }} />
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-12 text-muted">
        {PARTS.map(({ id, className }) => (
          <li key={id} className={`flex items-center gap-1.5 ${id === 'gateway' ? 'font-semibold text-text' : ''}`}>
            <span aria-hidden className={`size-2 rounded-[2px] ${className}`} />
            {t(`part_${id}`, { ms: ms(sums[id]) })}
          </li>
        ))}
      </ul>
    </section>
  )
}
