import { QueryClient } from '@tanstack/react-query'

/** Server data of the whole page. What is shown stays while it is asked for anew; refusals are not asked again by themselves. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 10_000, retry: false, refetchOnWindowFocus: true } },
})
