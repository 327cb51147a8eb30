import { Camera, Globe, Keyboard, Layers, LogOut, Maximize, Monitor } from 'lucide-react'
import { CopyLink } from '../../../shared/query/copy-link.tsx'
import { FilterChips } from '../../../shared/query/filter-chips.tsx'
import { SavedViews } from '../../../shared/query/saved-views.tsx'
import type { QueryState } from '../../../shared/query/use-query-state.ts'
import { runAction } from '../../../shared/ui/actions.ts'
import { Chip } from '../../../shared/ui/chip.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { MenuButton } from '../../../shared/ui/menu-button.tsx'
import { GRAPHICS, LAYERS, type Scope, type ViewState } from './view-state.ts'
import { useWall } from './wall-context.ts'

/** The analyst's line over the wall: what is filtered, which views there are, what the map shows. Absent in wall mode. */
export function FilterBar({
  query,
  state,
  setView,
  onWall,
  onFullscreen,
  onLeave,
}: {
  query: QueryState
  state: ViewState
  setView: (change: Partial<ViewState>) => void
  onWall: () => void
  onFullscreen: () => void
  onLeave: () => void
}) {
  const { t, nameOf } = useWall()
  const apps = query.query.filters.findIndex((one) => one.field === 'app' && one.op === 'is' && one.values.length === 1)
  const scopes: readonly { id: Scope; label: string }[] = [
    { id: 'world', label: t('world') },
    { id: 'china', label: t('china') },
  ]
  const toggle = (layer: (typeof LAYERS)[number]) =>
    setView({
      layers: LAYERS.filter((one) => (one === layer ? !state.layers.includes(layer) : state.layers.includes(one))),
    })
  return (
    <nav className="wall-bar" aria-label={t('filters')}>
      {apps >= 0 && (
        <Chip onRemove={() => query.removeFilter(apps)} label={t('app')}>
          {nameOf('app', query.query.filters[apps]?.values[0] ?? '')}
        </Chip>
      )}
      <FilterChips state={query} />
      <SavedViews state={query} page="observatory" />
      <span className="wall-push" />
      <MenuButton
        label={t(state.scope === 'world' ? 'world' : 'china')}
        icon={Globe}
        variant="quiet"
        items={scopes.map(({ id, label }) => ({
          id,
          label,
          isChosen: state.scope === id,
          onAction: () => setView({ scope: id, camera: null }),
        }))}
      />
      <MenuButton
        label={t('layers')}
        icon={Layers}
        variant="quiet"
        items={[
          {
            title: t('layers'),
            items: LAYERS.map((layer, i) => ({
              id: layer,
              label: t(`layer_${layer}`),
              hint: String(i + 1),
              isChosen: state.layers.includes(layer),
              onAction: () => toggle(layer),
            })),
          },
          {
            title: t('graphics'),
            items: GRAPHICS.map((one) => ({
              id: one,
              label: t(`graphics_${one}`),
              isChosen: state.graphics === one,
              onAction: () => setView({ graphics: one }),
            })),
          },
        ]}
      />
      <CopyLink state={query} />
      <IconButton label={t('shareMoment')} icon={Camera} hint="m" onPress={() => runAction('maps.share')} />
      <IconButton label={t('wallMode')} icon={Monitor} hint="w" onPress={onWall} />
      <IconButton label={t('fullscreen')} icon={Maximize} hint="f" onPress={onFullscreen} />
      <IconButton label={t('keys')} icon={Keyboard} hint="?" onPress={() => runAction('shell.keys')} />
      <IconButton label={t('back')} icon={LogOut} onPress={onLeave} />
    </nav>
  )
}
