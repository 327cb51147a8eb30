import { type Challenge, proofText, solveChallenge } from '#domain/proof-of-work.ts'

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Challenge>) => void) | null
  postMessage(message: string): void
}
scope.onmessage = ({ data }) => scope.postMessage(proofText(data, solveChallenge(data)))
