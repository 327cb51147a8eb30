import { QueryClient } from '@tanstack/react-query'

/** Server data of the whole page. Old data stays visible during a refetch; refused calls are not retried. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 10_000, retry: false, refetchOnWindowFocus: true } },
})
