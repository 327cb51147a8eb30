import { CircleCheck, CircleX, FileDigit } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { DIGESTS, type DigestName, type Digests } from './digests.ts'
import { FACTS } from './facts.ts'
import { FileChoice } from './file-choice.tsx'
import { toolsTexts } from './tools-texts.ts'

type State =
  | { phase: 'idle' | 'cancelled' }
  | { phase: 'running'; done: number; size: number }
  | { phase: 'done'; digests: Digests; size: number }
  | { phase: 'failed'; error: Error }
type Said = { done: number } | { digests: Digests } | { error: string }

/** Digests of a file or a text, computed in the browser: nothing leaves this machine. */
export function HashTab() {
  const t = useTexts(toolsTexts)
  const [of, setOf] = useState<'file' | 'text'>('file')
  const [file, setFile] = useState<File>()
  const [text, setText] = useState('')
  const [expected, setExpected] = useState('')
  const { state, run, cancel } = useDigests()
  return (
    <div className="grid lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-3 px-5 py-4">
        <SegmentedControl
          label={t('hashOf')}
          value={of}
          items={[
            { id: 'file', label: t('file') },
            { id: 'text', label: t('text') },
          ]}
          onChange={(next) => {
            setOf(next)
            cancel('idle')
          }}
        />
        {of === 'file' ? (
          <FileChoice
            label={t('anyFile')}
            hint={t('hashHint')}
            file={file}
            onFile={(one) => {
              setFile(one)
              run(one)
            }}
            isDisabled={state.phase === 'running'}
          />
        ) : (
          <form
            className="flex flex-col items-start gap-3"
            onSubmit={(event) => {
              event.preventDefault()
              run(new Blob([text]))
            }}
          >
            <TextField
              label={t('text')}
              note={t('hashTextNote')}
              rows={8}
              value={text}
              onChange={setText}
              className="w-full"
              mono
            />
            <Button type="submit" variant="primary" isDisabled={state.phase === 'running'}>
              {t('hashNow')}
            </Button>
          </form>
        )}
        <TextField label={t('expected')} note={t('expectedNote')} value={expected} onChange={setExpected} mono />
      </div>
      <section
        aria-live="polite"
        aria-label={t('hash')}
        className="flex min-w-0 flex-col border-l max-lg:border-t max-lg:border-l-0"
      >
        <Result state={state} expected={expected} onCancel={() => cancel('cancelled')} />
      </section>
    </div>
  )
}

function Result({ state, expected, onCancel }: { state: State; expected: string; onCancel: () => void }) {
  const t = useTexts(toolsTexts)
  if (state.phase === 'failed') return <ErrorState error={state.error} title={t('failed')} />
  if (state.phase === 'running')
    return (
      <div className="mx-auto flex w-full max-w-140 flex-col gap-2 px-5 py-10">
        <div className="flex justify-between">
          <span className="font-semibold">{t('hashing')}</span>
          <span className="text-12 text-muted">{`${formatBytes(state.done)} / ${formatBytes(state.size)}`}</span>
        </div>
        <ProgressBar value={state.done / Math.max(1, state.size)} label={t('hashing')} />
        <div>
          <Button size="small" onPress={onCancel}>
            {t('cancel')}
          </Button>
        </div>
      </div>
    )
  if (state.phase !== 'done')
    return (
      <EmptyState
        kind="none"
        icon={FileDigit}
        title={t(state.phase === 'cancelled' ? 'cancelled' : 'nothing')}
        hint={t('hashWait')}
      />
    )
  const wanted = expected.replace(/[\s:]/g, '').toLowerCase()
  const names = Object.keys(DIGESTS) as DigestName[]
  const equal = names.find((name) => state.digests[name] === wanted)
  return (
    <>
      <dl className={`${FACTS} pt-4`}>
        <Fact name={t('size')}>{formatBytes(state.size)}</Fact>
        {names.map((name) => (
          <Fact key={name} name={DIGESTS[name]}>
            <CopyText value={state.digests[name]} />
          </Fact>
        ))}
      </dl>
      {wanted !== '' && (
        <p
          role="status"
          className={`flex items-center gap-2 px-5 pb-4 font-semibold ${equal ? 'text-good-text' : 'text-bad-text'}`}
        >
          <Icon of={equal ? CircleCheck : CircleX} />
          {equal ? t('equal', { name: DIGESTS[equal] }) : t('notEqual')}
        </p>
      )}
    </>
  )
}

function useDigests() {
  const [state, setState] = useState<State>({ phase: 'idle' })
  const worker = useRef<Worker>(undefined)
  const end = () => {
    worker.current?.terminate()
    worker.current = undefined
  }
  useEffect(() => () => worker.current?.terminate(), [])
  return {
    state,
    cancel(phase: 'idle' | 'cancelled') {
      end()
      setState({ phase })
    },
    run(file: Blob) {
      end()
      const { size } = file
      const started = new Worker(new URL('./digest-worker.ts', import.meta.url), { type: 'module' })
      worker.current = started
      setState({ phase: 'running', done: 0, size })
      started.onmessage = ({ data }: MessageEvent<Said>) => {
        if ('done' in data) setState({ phase: 'running', done: data.done, size })
        else {
          end()
          setState(
            'digests' in data
              ? { phase: 'done', digests: data.digests, size }
              : { phase: 'failed', error: new Error(data.error) },
          )
        }
      }
      started.onerror = ({ message }) => {
        end()
        setState({ phase: 'failed', error: new Error(message || 'worker') })
      }
      started.postMessage(file)
    },
  }
}
