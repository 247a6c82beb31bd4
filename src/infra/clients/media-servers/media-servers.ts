import type { ControlAddress, Cut, ServedStream, ServerKind } from './types.ts'

/** The media servers that organisers' players publish to. Their addresses are their owners' word, and may be private. */
export interface MediaServersClient {
  /** What the server has at the moment. @throws Unreachable */
  list(kind: ServerKind, control: ControlAddress): Promise<readonly ServedStream[]>
  /** Ends a publisher's connection. @returns whether there was one. @throws Unreachable */
  cut(kind: ServerKind, control: ControlAddress, cut: Cut): Promise<boolean>
}
