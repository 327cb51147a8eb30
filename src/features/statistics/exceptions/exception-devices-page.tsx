import { EntityPage } from '#src/features/statistics/parts/entity-page.tsx'

/** /exceptions/device: devices with a crash, ANR or exception, counted by kind. */
export default function ExceptionDevicesPage() {
  return <EntityPage page="exception_devices" />
}
