import { PlugZap } from 'lucide-react'
import { useState } from 'react'
import { type LdapChange, testLdap } from '#contracts/http/ldap.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { signInTexts } from './sign-in-texts.ts'

const TONES = { ok: 'good', failed: 'bad', skipped: 'neutral' } as const

/** Tries settings of the directory as they are filled in, and shows what each stage gave. */
export function LdapTest({ settings, isDisabled }: { settings: LdapChange; isDisabled: boolean }) {
  const t = useTexts(signInTexts)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const test = useAction(testLdap)
  return (
    <section className="col-span-full rounded border bg-canvas px-4 py-3" aria-label={t('test')}>
      <p className="mb-3 text-12 text-muted">{t('testNote')}</p>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={t('testName')}
          value={username}
          onChange={setUsername}
          maxLength={256}
          autoComplete="off"
          className="min-w-[180px] flex-1"
        />
        <TextField
          label={t('testPassword')}
          type="password"
          value={password}
          onChange={setPassword}
          maxLength={256}
          autoComplete="new-password"
          className="min-w-[180px] flex-1"
        />
        <Button
          icon={PlugZap}
          isDisabled={isDisabled || test.isPending}
          onPress={() => test.mutate({ body: { settings, username: username.trim(), password } })}
        >
          {t(test.isPending ? 'testing' : 'test')}
        </Button>
      </div>
      {test.data && (
        <ol className="mt-3 divide-y border-t text-13" aria-live="polite">
          {test.data.data.map(({ stage, state, detail }) => (
            <li key={stage} className="flex items-start gap-3 py-1.5">
              <span className="w-36 flex-none max-sm:w-24">{t(`stage_${stage}`)}</span>
              <Chip tone={TONES[state]}>{t(state)}</Chip>
              <code className="min-w-0 flex-1 text-12 whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
                {detail}
              </code>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
