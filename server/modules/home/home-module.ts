import { HOME_MODULES, homeOverview } from '#contracts/http/home.ts'
import { log } from '#runtime/log.ts'
import type { Module } from '../../http/module.ts'
import { MODULE_FIGURES } from './module-figures.ts'
import { recentItems } from './recent-items.ts'

/** What the home page says of each module: one that cannot be read takes no other with it. */
export const homeModule: Module = (mount, deps) => {
  mount(homeOverview, async ({ caller }) => {
    const seen = HOME_MODULES.filter((module) => {
      const { items } = MODULE_FIGURES[module]
      return items.length === 0 || items.some((item) => caller.auth.includes(item))
    })
    const [modules, recent] = await Promise.all([
      Promise.all(
        seen.map(async (module) => {
          try {
            return { module, figures: await MODULE_FIGURES[module].read(deps, caller) }
          } catch (err) {
            log.warn({ err, module }, 'home: figures of a module cannot be read')
            return { module, figures: null }
          }
        }),
      ),
      recentItems(deps, caller),
    ])
    return { modules, recent, at: deps.now() }
  })
}
