import { DevicePage } from './device-page.tsx'

export default function DubCardPage() {
  return <DevicePage title="suspicious" first="why" />
}
