import { type ReactNode, useState } from 'react'
import { type Secret, SecretsSection, type SecretsSectionProps } from './secrets-section.tsx'

/** A token as its form received it: only this answer contains it. */
export type MadeToken = { name: string; token: string }

/** A list of secrets with the form that creates one; what the form created is revealed once. */
export function SecretsTab<Row extends Secret, Made>({
  form,
  reveal,
  ...section
}: Omit<SecretsSectionProps<Row>, 'onCreate'> & {
  form: (close: () => void, onMade: (made: Made) => void) => ReactNode
  reveal: (made: Made, close: () => void) => ReactNode
}) {
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  const closeForm = () => setMaking(false)
  return (
    <>
      <SecretsSection {...section} onCreate={() => setMaking(true)} />
      {making &&
        form(closeForm, (one) => {
          closeForm()
          setMade(one)
        })}
      {made !== null && reveal(made, () => setMade(null))}
    </>
  )
}
