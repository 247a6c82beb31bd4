import { randomUUID } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { MapSchema, type Map as WireMap } from '../../../src/infra/clients/assistant/generated/models_pb.ts'

/** Maps as tests give them, and as they stand on the wire. */

export interface FakeMap {
  readonly hash: string
  /** `Standard`, unless it is given. */
  readonly characteristic?: string
  /** 0 to 4; ExpertPlus, unless it is given. */
  readonly difficulty?: number
  readonly name?: string
  readonly attempts?: number
  readonly target?: number
}

export function levelOf(hash: string): string {
  return `custom_level_${hash.toUpperCase()}`
}

/** With a GUID of its own. */
export function wireMap({
  hash,
  characteristic = 'Standard',
  difficulty = 4,
  name = 'A song',
  ...rest
}: FakeMap): WireMap {
  return create(MapSchema, {
    guid: randomUUID(),
    gameplayParameters: {
      beatmap: { name, levelId: levelOf(hash), characteristic: { serializedName: characteristic }, difficulty },
      attempts: rest.attempts ?? 0,
      target: rest.target ?? 0,
    },
  })
}

/** A map that was sent to the server, which names it anew. */
export function adopted(map: WireMap): WireMap {
  return create(MapSchema, { ...map, guid: randomUUID() })
}
