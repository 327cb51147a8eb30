import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'

/**
 * Starts a query that was never asked while its component renders. `useQuery` alone asks in an effect, which runs after the whole page was
 * put into the document, laid out and painted: the server would wait for the browser, and then the browser for the server. Give it the
 * options of the `useQuery` that follows; that one joins the request.
 */
export function useAskedAtOnce<Data, Failure, Key extends QueryKey>(
  options: FetchQueryOptions<Data, Failure, Data, Key>,
  isEnabled: boolean,
): void {
  const client = useQueryClient()
  if (!isEnabled || client.getQueryState(options.queryKey) !== undefined) return
  // A refusal shows where `useQuery` reads it.
  client.query(options).catch(() => undefined)
}
