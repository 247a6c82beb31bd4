import { Type } from 'typebox'
import { impersonal } from '../../../../core/packages/marks.ts'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { maxAddressLength } from '../../../../core/web.ts'
import { aiMarks, difficulties, mapStates, requirements } from '../../../maps/catalogue/types.ts'
import { FlairsBody, mapSettings } from '../../../maps/pools/bodies.ts'
import { maxNote, modifiers, playerOptions } from '../../../maps/pools/rules/maps.ts'
import { Counter, Figure, Hash, like, nameLike, someOf, textUpTo, wordLike, workUpTo } from './bounds.ts'
import { Characteristic, Color, Options } from './maps.ts'

/** Maps of pools as changes and sessions keep them. */

const Amount = nullable(Figure)
const Count = nullable(Counter)
const Known = nullable(Type.Boolean())
const Work = nullable(workUpTo())
const Address = nullable(impersonal('address', Type.String({ maxLength: maxAddressLength })))
const flair = FlairsBody.properties.flairs.items.properties

export const KeptMap = Type.Object({
  ...{ guid: Guid, hash: Hash, characteristic: Characteristic, difficulty: oneOf(difficulties), key: Work, name: Work },
  ...{ subName: Work, artist: Work, mapper: Work, imageUrl: Address, previewUrl: Address },
  ...{ requirements: someOf(requirements), ai: nullable(oneOf(aiMarks)), state: oneOf(mapStates), currentHash: Work },
  // Everybody knows it, so that it would tell by how much times are moved.
  uploadedAt: nullable(impersonal('address', Instant)),
  checkedAt: nullable(Instant),
  ...{ bpm: Amount, njs: Amount, nps: Amount, durationSeconds: Count, notes: Count, bombs: Count },
  ...{ obstacles: Count, maxScore: Count, starsA: Amount, starsB: Amount, rankedA: Known, rankedB: Known },
})

export const KeptFlair = Type.Object({
  guid: Guid,
  name: nameLike(flair.name),
  color: Color,
  icon: nullable(wordLike(flair.icon)),
  order: Counter,
})

export const KeptSettings = {
  ...{ order: Counter, isTiebreaker: Type.Boolean(), modifiers: someOf(modifiers) },
  ...{ playerOptions: someOf(playerOptions), options: Options, attempts: nullable(like(mapSettings.attempts)) },
  ...{ weight: like(mapSettings.weight), note: nullable(textUpTo(maxNote)) },
  ...{ releaseAt: nullable(Instant), releasedAt: nullable(Instant) },
}
