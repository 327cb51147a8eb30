import { startGateway } from '#server/modules/communication/gateway/start-gateway.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { type DatabaseAddress, openDatabase } from '#storage/postgres/database.ts'
import { WIDE_LIMITS } from '#tests/support/gateway-bed.ts'

/** A gateway in a process of its own, which sends its CPU time when asked. Arguments: address of PostgreSQL (JSON), folder of the key, upstream. */
const [, , address = '{}', keyFolder = '', upstream = ''] = process.argv
const meta = await openDatabase(JSON.parse(address) as DatabaseAddress, { migrate: false, statementMs: 5000 })
const secret = await openSecrets({ meta, keyFolder, now: Date.now })
const gateway = await startGateway({
  ...{ meta, secret, now: Date.now, upstream: new URL(upstream), host: '127.0.0.1', port: 0, trustProxy: [] },
  ...{ version: 'bench', listed: { name: 'bench' }, policy: 'observe', limits: WIDE_LIMITS },
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1000 })
})
process.on('disconnect', () => void gateway.close().then(() => process.exit(0)))
process.send?.({ url: gateway.url })
