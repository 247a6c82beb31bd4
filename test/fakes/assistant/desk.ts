import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ResponseSchema } from '../../../src/infra/clients/assistant/generated/responses_pb.ts'
import type { Boards } from './qualifiers.ts'
import type { World } from './world.ts'

/** The state that answers are made from. */

export interface Desk {
  readonly world: World
  readonly boards: Boards
  /** The version code that a client must have. */
  version: number
}

type Details = NonNullable<MessageInitShape<typeof ResponseSchema>['details']>

export interface Answer {
  readonly isFine: boolean
  readonly details: Details
}

export const answer = (isFine: boolean, details: Details): Answer => ({ isFine, details })
