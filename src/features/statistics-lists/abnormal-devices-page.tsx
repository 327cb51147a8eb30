import { EntityPage } from '#src/shared/analysis/entity-page.tsx'

/** /statistics/user_more: devices with an attack, crash, ANR or exception, counted by kind. */
export default function AbnormalDevicesPage() {
  return <EntityPage page="user_more" />
}
