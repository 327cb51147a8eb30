import type { DataFormats } from '#engines/update/update-manifest.ts'
import { FORMAT } from '#storage/events/duckdb/event-format.ts'
import { BINARY_FORMAT } from '#storage/journal/batch-layout.ts'
import { BUNDLED_MAJOR } from '#storage/postgres/bundled.ts'
import { MIGRATIONS } from '#storage/postgres/database.ts'

/** What this version needs of the data folder; `npm run package` writes it into the manifest of the update. */
export function dataFormats(): DataFormats {
  return {
    postgres: BUNDLED_MAJOR,
    events: FORMAT,
    journal: BINARY_FORMAT,
    migrations: Object.entries(MIGRATIONS).map(([name, { down }]) => ({ name, down: down !== undefined })),
  }
}
