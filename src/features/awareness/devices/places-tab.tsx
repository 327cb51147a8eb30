import { useMemo } from 'react'
import { type DeviceFacts, revealAddresses } from '#contracts/http/devices.ts'
import type { Filter, Query } from '#domain/query.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { ChinaMap } from '#src/shared/charts/china-map.tsx'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { placeText, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { deviceTexts } from './device-texts.ts'

type Seen = { events: number; attacks: number; first_at: number; last_at: number }

/** Places visited as map and list, the addresses (networks, until somebody asks for more), and what the device ran. */
export function PlacesTab({
  device,
  facts,
  state,
  now,
  onRows,
}: {
  device: string
  facts: DeviceFacts
  state: QueryState
  now: number
  onRows: (query: Query) => void
}) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const mayReveal = useMay('personal.reveal')
  const reveal = useAction(revealAddresses)
  const provinces = useMemo(() => {
    const values = new Map<string, number>()
    for (const { province, events } of facts.places)
      if (province !== '') values.set(province, (values.get(province) ?? 0) + events)
    return values
  }, [facts])
  const open = (...and: Filter[]) => onRows({ ...state.query, filters: [...state.query.filters, ...and] })
  const note = (shown: number, count: number) =>
    count > shown ? t('listed', { shown, count }) : t('placesNote', { count })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] max-lg:grid-cols-1">
      <div className="min-w-0 border-r max-lg:border-r-0">
        <Section plain title={t('placesList')} note={note(facts.places.length, facts.counts.places)}>
          {facts.places.length === 0 ? (
            <EmptyState kind="none" title={t('noPlaces')} />
          ) : (
            <>
              <div className="max-w-[440px] px-5 pb-2">
                <ChinaMap
                  values={provinces}
                  title={t('placesList')}
                  nameOf={(code) => nameOf('province', code)}
                  onPick={(code) => open({ field: 'province', op: 'is', values: [code] })}
                />
              </div>
              <SeenTable
                label={t('placesList')}
                head={t('area')}
                now={now}
                lines={facts.places.map((place) => ({
                  key: `${place.country} ${place.province} ${place.city}`,
                  name: placeText(place, nameOf, language),
                  seen: place,
                  onOpen: () =>
                    open(
                      { field: 'country', op: 'is', values: [place.country] },
                      { field: 'province', op: 'is', values: [place.province] },
                      { field: 'city', op: 'is', values: [place.city] },
                      { field: 'place', op: 'not', values: ['none'] },
                    ),
                }))}
              />
            </>
          )}
        </Section>
      </div>
      <div className="min-w-0 max-lg:border-t">
        <Section
          plain
          title={t('addresses')}
          note={reveal.data ? t('revealed') : t('masked')}
          actions={
            reveal.data ? (
              <Button size="small" onPress={() => reveal.reset()}>
                {t('hide')}
              </Button>
            ) : (
              <Button
                size="small"
                isDisabled={!mayReveal || reveal.isPending || facts.addresses.length === 0}
                title={t(mayReveal ? 'revealText' : 'revealMissing')}
                onPress={() => reveal.mutate({ body: { device, query: state.query, now } })}
              >
                {t('reveal')}
              </Button>
            )
          }
        >
          <SeenTable
            label={t('addresses')}
            head={t('addresses')}
            now={now}
            mono
            lines={
              reveal.data
                ? reveal.data.data.map((one) => ({
                    key: one.address,
                    name: one.address,
                    seen: one,
                    onOpen: () => open({ field: 'address', op: 'is', values: [one.address] }),
                  }))
                : facts.addresses.map((one) => ({ key: one.network, name: one.network, seen: one }))
            }
          />
        </Section>
        <Section
          plain
          className="border-t"
          title={t('systems')}
          note={note(facts.systems.length, facts.counts.systems)}
        >
          <SeenTable
            label={t('systems')}
            head={t('systems')}
            now={now}
            lines={facts.systems.map((one) => ({
              key: `${one.model} ${one.os} ${one.sdk}`,
              name: [one.model, one.os, one.sdk].filter(Boolean).join(', ') || '–',
              seen: one,
            }))}
          />
        </Section>
      </div>
    </div>
  )
}

function SeenTable({
  label,
  head,
  lines,
  now,
  mono = false,
}: {
  label: string
  head: string
  lines: readonly { key: string; name: string; seen: Seen; onOpen?: () => void }[]
  now: number
  mono?: boolean
}) {
  const t = useTexts(deviceTexts)
  const zone = usePlatform((platform) => platform.zone)
  return (
    <div className="max-h-80 overflow-auto px-5 pb-3">
      <table aria-label={label} className="w-full border-collapse text-13">
        <thead>
          <tr className="h-7 border-b text-12 text-muted">
            <th className="text-left font-normal">{head}</th>
            <th className="text-right font-normal">{t('eventsColumn')}</th>
            <th className="pl-3 text-right font-normal">{t('attackColumn')}</th>
            <th className="pl-3 text-right font-normal">{t('first')}</th>
            <th className="pl-3 text-right font-normal">{t('lastColumn')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, name, seen, onOpen }) => (
            <tr key={key} className="h-8 border-b">
              <td className={mono ? 'font-mono text-12' : ''}>{name}</td>
              <td className="text-right">
                {onOpen ? (
                  <button type="button" className="text-brand-text hover:underline" onClick={onOpen}>
                    <Num value={seen.events} />
                  </button>
                ) : (
                  <Num value={seen.events} />
                )}
              </td>
              <td className="pl-3 text-right">
                <Num value={seen.attacks} />
              </td>
              <td className="pl-3 text-right text-12 whitespace-nowrap text-muted">
                {formatDateTime(seen.first_at, zone, 'minute', now)}
              </td>
              <td className="pl-3 text-right text-12 whitespace-nowrap text-muted">
                {formatDateTime(seen.last_at, zone, 'minute', now)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
