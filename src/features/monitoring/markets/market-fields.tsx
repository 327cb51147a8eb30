import {
  MARKET_KIND_NAMES,
  MARKET_KINDS,
  MARKET_REGIONS,
  type MarketRegion,
} from '#contracts/http/monitoring/markets.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { FIELD_NAMES, type FieldName, hasForm, type MarketDraft, type Way } from './market-draft.ts'
import type { MarketText } from './markets-texts.ts'

const WAYS: readonly Way[] = ['html', 'json', 'rss', 'sitemap', 'manual']
const REGIONS = Object.keys(MARKET_REGIONS) as MarketRegion[]

/** `keepsTrial`: what was tried is not changed by it. */
type Set = (change: Partial<MarketDraft>, keepsTrial?: boolean) => void

/** Names, kind, region and home page of a market. */
export function Basics({
  draft,
  set,
  tried,
  isBuiltIn,
  t,
}: {
  draft: MarketDraft
  set: Set
  tried: boolean
  isBuiltIn: boolean
  t: MarketText
}) {
  const language = useLanguage()
  const nameError = (text: string) => (tried && !text.trim() ? t('nameEmpty') : undefined)
  return (
    <>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <TextField
          label={t('nameZh')}
          value={draft.zh}
          onChange={(zh) => set({ zh }, true)}
          maxLength={60}
          error={nameError(draft.zh)}
          isRequired
          isReadOnly={isBuiltIn}
          autoComplete="off"
        />
        <TextField
          label={t('nameEn')}
          value={draft.en}
          onChange={(en) => set({ en }, true)}
          maxLength={60}
          error={nameError(draft.en)}
          isRequired
          isReadOnly={isBuiltIn}
          autoComplete="off"
        />
        <Select
          label={t('kindField')}
          value={draft.kind}
          onChange={(kind) => set({ kind }, true)}
          items={MARKET_KIND_NAMES.map((one) => ({ id: one, label: MARKET_KINDS[one][language] }))}
        />
        <Select
          label={t('regionField')}
          value={draft.region}
          onChange={(region) => set({ region }, true)}
          items={REGIONS.map((one) => ({ id: one, label: MARKET_REGIONS[one][language] }))}
        />
      </div>
      <TextField
        label={t('home')}
        value={draft.home}
        onChange={(home) => set({ home }, true)}
        maxLength={1000}
        mono
        autoComplete="off"
      />
    </>
  )
}

/** How it is asked. */
export function Request({ draft, set, t }: { draft: MarketDraft; set: Set; t: MarketText }) {
  return (
    <>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Select
          label={t('way')}
          value={draft.way}
          onChange={(way) => set({ way })}
          items={WAYS.map((one) => ({ id: one, label: t(`way_${one}`) }))}
        />
        <TextField
          label={t('interval')}
          value={draft.interval}
          onChange={(interval) => set({ interval }, true)}
          maxLength={6}
          autoComplete="off"
        />
      </div>
      {draft.way !== 'manual' && (
        <>
          <TextField
            label={t('url')}
            value={draft.url}
            onChange={(url) => set({ url })}
            note={t('urlNote')}
            maxLength={1000}
            mono
            autoComplete="off"
          />
          <TextField
            label={t('hosts')}
            value={draft.hosts}
            onChange={(hosts) => set({ hosts })}
            note={t('hostsNote')}
            rows={2}
            mono
          />
          <div className="grid grid-cols-3 gap-3 max-sm:grid-cols-1">
            <Select
              label={t('encoding')}
              value={draft.encoding}
              onChange={(encoding) => set({ encoding })}
              items={(['utf-8', 'gb18030', 'big5'] as const).map((one) => ({ id: one, label: one.toUpperCase() }))}
            />
            <TextField
              label={t('firstPage')}
              value={draft.firstPage}
              onChange={(firstPage) => set({ firstPage })}
              maxLength={4}
              autoComplete="off"
            />
            <TextField
              label={t('pages')}
              value={draft.pages}
              onChange={(pages) => set({ pages })}
              maxLength={2}
              autoComplete="off"
            />
          </div>
          {hasForm(draft) && (
            <TextField
              label={t('form')}
              value={draft.form}
              onChange={(form) => set({ form })}
              note={t('formNote')}
              maxLength={1000}
              mono
              autoComplete="off"
            />
          )}
          {draft.way === 'sitemap' ? (
            <TextField
              label={t('contains')}
              value={draft.contains}
              onChange={(contains) => set({ contains })}
              maxLength={200}
              mono
              autoComplete="off"
            />
          ) : (
            draft.way !== 'rss' && (
              <TextField
                label={t('items')}
                value={draft.items}
                onChange={(items) => set({ items })}
                note={t('itemsNote')}
                maxLength={300}
                mono
                autoComplete="off"
              />
            )
          )}
        </>
      )}
    </>
  )
}

/** Where each fact of an entry is on its page. */
export function Fields({
  title,
  values,
  onChange,
  t,
}: {
  title: string
  values: MarketDraft['fields']
  onChange: (values: Record<FieldName, string>) => void
  t: MarketText
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-semibold">
        {title} <span className="text-12 font-normal text-muted">{t('fieldsNote')}</span>
      </legend>
      {FIELD_NAMES.map((name) => (
        <div key={name} className="flex items-center gap-3">
          <span className="w-20 flex-none text-muted">{t(`field_${name}`)}</span>
          <TextField
            hideLabel
            label={`${title} ${t(`field_${name}`)}`}
            value={values[name]}
            onChange={(text) => onChange({ ...values, [name]: text })}
            maxLength={660}
            mono
            autoComplete="off"
            className="flex-1"
          />
        </div>
      ))}
    </fieldset>
  )
}
