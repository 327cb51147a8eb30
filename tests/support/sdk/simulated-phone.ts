/** What the network does with a request: takes it, is not there, loses the answer, delivers it twice, or the process dies with the answer. */
export const NETWORKS = ['ok', 'offline', 'lose', 'twice', 'die'] as const
export type Network = (typeof NETWORKS)[number]

/** One install of an SDK whose clocks, network and life the test rules. Times are epoch milliseconds. */
export type SimulatedPhone = {
  /** What the phone's own clock says, and how long it has been on. */
  setClock(wall: number, elapsed: number): Promise<void>
  setNetwork(mode: Network): Promise<void>
  /** Starts the app, with consent; on what an earlier process left. */
  start(): Promise<void>
  /** Something to tell, with a number of its own. */
  emit(number: number): Promise<void>
  /** Lets the app do what is due. True when the process died of it. */
  run(): Promise<boolean>
  /** Events that wait on the phone. */
  waiting(): Promise<number>
  close(): Promise<void>
}
