import { EntityPage } from '#src/features/statistics/parts/entity-page.tsx'

/** /statistics/user_more: devices with an attack, crash, ANR or exception, counted by kind. */
export default function AbnormalDevicesPage() {
  return <EntityPage page="abnormal_devices" />
}
