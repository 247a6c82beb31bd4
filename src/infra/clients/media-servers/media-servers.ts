import type { HttpClient } from '../http.ts'
import { mediaServerKinds } from './kinds.ts'
import type { ControlAddress, ControlForm, Cut, ServedStream, ServerKind } from './types.ts'

/** The media servers to which players publish. Their owners set their addresses, which may be private. */
export interface MediaServersClient {
  /** The streams that the server has now. @throws Unreachable */
  list(kind: ServerKind, control: ControlAddress): Promise<readonly ServedStream[]>
  /** Ends the connection of a publisher. @returns whether it existed. @throws Unreachable */
  cut(kind: ServerKind, control: ControlAddress, cut: Cut): Promise<boolean>
}

export function createMediaServersClient(http: HttpClient): MediaServersClient {
  return {
    list: async (kind, control) => controlOf(kind).list(http, control),
    cut: async (kind, control, cut) => controlOf(kind).cut(http, control, cut),
  }
}

/** A kind without control interface has no control address, so this cannot fail for valid records. */
function controlOf(kind: ServerKind): ControlForm {
  const { control } = mediaServerKinds[kind]
  if (control === null) throw new Error(`servers of kind ${kind} have no control interface`)
  return control
}
