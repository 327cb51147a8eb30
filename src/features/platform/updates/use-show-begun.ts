import { useQueryClient } from '@tanstack/react-query'
import { showUpdates, UPDATE_STATUS, type UpdateRecord, type UpdatesAnswer } from '#contracts/http/updates.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'

/**
 * Shows the update or rollback that has just begun. Its first step ends the service, often before the page could ask again: without this it
 * would show nothing of it until the service is back.
 */
export function useShowBegun(): (answer: { data: UpdateRecord }) => void {
  const client = useQueryClient()
  return ({ data: record }) =>
    client.setQueryData(
      endpointKey(showUpdates, {}),
      (old: { data: UpdatesAnswer } | undefined) => old && { ...old, data: withBegun(old.data, record) },
    )
}

export function withBegun(known: UpdatesAnswer, record: UpdateRecord): UpdatesAnswer {
  // The server has answered with it since, perhaps with its end.
  if (known.active || known.records.some(({ id }) => id === record.id)) return known
  return {
    ...known,
    status: UPDATE_STATUS.running,
    message: '',
    active: record,
    records: [record, ...known.records],
  }
}
