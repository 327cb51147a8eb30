import { isProvince, type Scope } from './view-state.ts'
import { useWall } from './wall-context.ts'

/** The map's scope: world, China, province. Shown below the China view. */
export function MapBreadcrumb({ scope, onEnter }: { scope: Scope; onEnter: (scope: string) => void }) {
  const { t, nameOf } = useWall()
  if (!isProvince(scope)) return null
  return (
    <nav className="wall-crumbs wall-plate" data-obstacle>
      <button type="button" onClick={() => onEnter('china')}>
        ‹ {t('backUp')} <kbd>Esc</kbd>
      </button>
      <button type="button" className="wall-plain" onClick={() => onEnter('world')}>
        {t('world')}
      </button>
      <span className="wall-muted">/</span>
      <button type="button" className="wall-plain" onClick={() => onEnter('china')}>
        {t('china')}
      </button>
      <span className="wall-muted">/</span>
      <span className="wall-strong">{nameOf('province', scope)}</span>
    </nav>
  )
}
