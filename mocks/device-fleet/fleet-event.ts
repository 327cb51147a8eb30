/** An event before it is sent: JSON without its closing brace, so that the sender can stamp it. */
export type FleetEvent = { app: number; at: number; text: string }
