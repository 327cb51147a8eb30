import { PrivacyChecks } from '#src/features/detection/parts/privacy-checks.tsx'
import type { PartProps } from './report-part.ts'

/** The checks of the privacy catalogue, as the page of privacy detection shows them too. */
export function PrivacyTab({ answer, address }: PartProps) {
  return <PrivacyChecks task={answer.data.id} address={address} />
}
