import { healthz } from '#contracts/http/health.ts'
import type { HttpModule } from '../../http/http-deps.ts'

/** Health of this installation. */
export const healthModule: HttpModule = (mount, deps) => {
  mount(healthz, async ({ reply }) => {
    const health = await deps.health()
    if (health.state !== 'ok') reply.header('retry-after', '5')
    return health
  })
}
