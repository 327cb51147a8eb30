import { openDuckFile } from '#storage/events/duckdb/duck-file.ts'
import type { EventStore } from '#storage/events/port.ts'
import { serveEventStore } from '#storage/events/serve/serve-event-store.ts'

/** Serves a store whose count() takes minutes for a query with filters and is quick otherwise; limits as in production, 3 s for users. */
const { folder, socket } = JSON.parse(process.argv[2] ?? '{}') as { folder: string; socket: string }
const file = await openDuckFile({ folder, memoryMb: 200, threads: 2 })
let running = 0
await serveEventStore(
  {
    within: (context) =>
      ({
        count: ({ filters }) =>
          file.read(async (select) => {
            running++
            try {
              const rows = filters.length > 0 ? 3e6 : 10
              const [[n] = []] = await select(
                `SELECT sum(hash(a.range + b.range) % 7) FROM range(${rows}) a, range(${rows}) b`,
              )
              return Number(n)
            } finally {
              running--
            }
          }, context),
      }) as EventStore,
    status: async () => ({
      state: 'ok',
      rows: running,
      positions: {},
      storedTo: null,
      backlogEvents: 0,
      lagSeconds: 0,
      bytes: 0,
    }),
  },
  socket,
  { user: 3000, platform: 120_000 },
)
process.send?.({ ready: true })
process.on('disconnect', () => process.exit(0))
