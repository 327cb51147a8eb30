import { isListed, parseAddressRange } from '#domain/address-range.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { signInTexts } from './sign-in-texts.ts'

/** The list of addresses that may sign in, as lines of text; `own`: where this browser's requests come from. */
export function ConsoleAddresses({
  text,
  lines,
  own,
  onChange,
}: {
  text: string
  lines: readonly string[]
  own: string
  onChange: (text: string) => void
}) {
  const t = useTexts(signInTexts)
  const wrong = lines.find((line) => !parseAddressRange(line))
  const isMissing = wrong === undefined && !isListed(lines, own)
  return (
    <fieldset className="mb-6">
      <legend className="mb-3 text-14 font-semibold">{t('addresses')}</legend>
      <TextField
        label={t('addresses')}
        hideLabel
        note={t('addressesNote')}
        value={text}
        onChange={onChange}
        error={wrong === undefined ? undefined : t('badAddress', { text: wrong })}
        placeholder={'10.0.0.0/8\n2001:db8::/32'}
        rows={4}
        mono
      />
      <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-muted">
        {t('ownAddress')}
        <code className="text-text">{own}</code>
        {isMissing && (
          <>
            <span className="text-bad-text">{t('ownMissing')}</span>
            <Button size="small" variant="quiet" onPress={() => onChange([...lines, own].join('\n'))}>
              {t('addOwn')}
            </Button>
          </>
        )}
      </p>
    </fieldset>
  )
}
