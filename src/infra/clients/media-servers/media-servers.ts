import type { HttpClient } from '../http.ts'
import { mediaServerKinds } from './kinds.ts'
import type { ControlAddress, ControlForm, Cut, ServedStream, ServerKind } from './types.ts'

/** The media servers that organisers' players publish to. Their addresses are their owners' word, and may be private. */
export interface MediaServersClient {
  /** What the server has at the moment. @throws Unreachable */
  list(kind: ServerKind, control: ControlAddress): Promise<readonly ServedStream[]>
  /** Ends a publisher's connection. @returns whether there was one. @throws Unreachable */
  cut(kind: ServerKind, control: ControlAddress, cut: Cut): Promise<boolean>
}

export function createMediaServersClient(http: HttpClient): MediaServersClient {
  return {
    list: async (kind, control) => controlOf(kind).list(http, control),
    cut: async (kind, control, cut) => controlOf(kind).cut(http, control, cut),
  }
}

/** Servers of a kind that cannot be controlled have no control address. */
function controlOf(kind: ServerKind): ControlForm {
  const { control } = mediaServerKinds[kind]
  if (control === null) throw new Error(`servers of kind ${kind} have no control interface`)
  return control
}
