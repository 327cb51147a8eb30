import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseAddress } from '../postgres/database.ts'
import { copyDurably, copyTree, listFiles } from './copy-tree.ts'

/** Contents that PostgreSQL recreates at its start; the folders themselves must exist (PostgreSQL manual, 'Making a Base Backup'). */
const EMPTIED = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//
const LEFT_OUT = /(^|\/)(postmaster\.(pid|opts)|backup_label|tablespace_map|pgsql_tmp[^/]*)$/

/**
 * A consistent copy of a running bundled server: `folder` is its folder (data, secret, made), `to` becomes such a folder. The low-level
 * interface of a base backup is used, since the bundled server comes without pg_basebackup and pg_dump: the copied files are torn by the
 * writes meanwhile, and the copied write-ahead log repairs them when a server starts on the copy.
 */
export async function copyRunningPostgres(address: DatabaseAddress, folder: string, to: string): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    // The slot holds back the removal of the log that the copy needs. It ends with this connection.
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [
      `appwarden_backup_${process.pid}`,
    ])
    const first = await one<{ file: string }>(
      client,
      `select pg_walfile_name(pg_backup_start('appwarden', true)) as file`,
    )
    const data = join(folder, 'data')
    await copyTree(data, join(to, 'data'), (path) => EMPTIED.test(path) || LEFT_OUT.test(path))
    const last = await one<{ file: string; label: string }>(
      client,
      'select pg_walfile_name(lsn) as file, labelfile as label from pg_backup_stop(false)',
    )
    for (const { path } of await listFiles(join(data, 'pg_wal')))
      if (/^[0-9A-F]{24}$/.test(path) && path >= first.file && path <= last.file)
        await copyDurably(join(data, 'pg_wal', path), join(to, 'data/pg_wal', path))
    await writeFile(join(to, 'data/backup_label'), last.label, { mode: 0o600 })
    for (const name of ['secret', 'made']) await copyDurably(join(folder, name), join(to, name))
  } finally {
    await client.end()
  }
}

async function one<Row extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text)
  return rows[0] as Row
}
