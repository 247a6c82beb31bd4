import { randomUUID } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { MapSchema, type Map as WireMap } from '../../../src/infra/clients/assistant/generated/models_pb.ts'

/** Maps as tests give them, and in the wire format. */

export interface FakeMap {
  readonly hash: string
  /** `Standard` by default. */
  readonly characteristic?: string
  /** 0 to 4; ExpertPlus by default. */
  readonly difficulty?: number
  readonly name?: string
  readonly attempts?: number
  readonly target?: number
}

export function levelOf(hash: string): string {
  return `custom_level_${hash.toUpperCase()}`
}

/** A map with a new GUID. */
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

/** A map that was sent to the server, which gives it a new GUID. */
export function adopted(map: WireMap): WireMap {
  return create(MapSchema, { ...map, guid: randomUUID() })
}
