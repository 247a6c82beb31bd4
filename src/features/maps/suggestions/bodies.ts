import { Type } from 'typebox'
import { Guid, nullable } from '../../../core/schema.ts'
import { CorrectionReason, mapReference, mapSettings, maxReason } from '../pools/bodies.ts'
import { maxNote, maxText } from './rules.ts'
import { VoteValueView } from './views.ts'

const wording = {
  note: Type.Optional(nullable(Type.String({ maxLength: maxNote }), 'Why it should be played.')),
  targetPool: Type.Optional(nullable(Guid, 'The pool that it is for; poolers alone say so.')),
  targetFlair: Type.Optional(nullable(Guid)),
}

export const SuggestBody = Type.Object(
  { ...mapReference, ...wording },
  { examples: [{ ref: '1a2b3', difficulty: 'ExpertPlus', note: 'Two hard drops, and fair.' }] },
)
export const EditSuggestionBody = Type.Object(wording, { examples: [{ note: 'For the tech slot.' }] })

export const AcceptBody = Type.Object(
  { poolGuid: Type.Optional(Guid), ...mapSettings, reason: CorrectionReason },
  { examples: [{ isTiebreaker: true, reason: 'The tiebreaker that was missing.' }] },
)
export const RejectBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: maxReason, examples: ['Too long for a best of seven.'] }),
})

export const VoteBody = Type.Object({ value: VoteValueView }, { examples: [{ value: 1 }] })

const text = Type.String({ minLength: 1, maxLength: maxText, description: 'Plain text.' })

export const CommentBody = Type.Object(
  { text, replyTo: Type.Optional(nullable(Guid, 'The comment that it answers; a reply to a reply joins its thread.')) },
  { examples: [{ text: 'Who plays this at finals speed?' }] },
)
export const EditCommentBody = Type.Object({ text }, { examples: [{ text: 'Who plays this at full speed?' }] })
