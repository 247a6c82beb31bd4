import { Type } from 'typebox'
import { exampleGuid, Guid, nullable, oneOf } from '../../../../core/schema.ts'
import { maxAddressLength } from '../../../../core/web.ts'
import { maxLabelCharacters, maxReasonCharacters } from '../rules/nominating.ts'
import {
  maxCategoryDescriptionCharacters,
  maxCategoryNameCharacters,
  maxNomineeDescriptionCharacters,
} from '../rules/nominees.ts'
import { nomineeTypes } from '../types.ts'

const Name = Type.String({ minLength: 1, maxLength: maxCategoryNameCharacters })

const others = {
  description: Type.Optional(Type.String({ maxLength: maxCategoryDescriptionCharacters, description: 'Markdown.' })),
  shortlistSize: Type.Optional(Type.Integer({ minimum: 2, maximum: 20, description: 'Default: 10.' })),
  badgeGuid: Type.Optional(nullable(Guid, 'A badge that can be granted, for the winners; null for none.')),
}

export const CreateCategoryBody = Type.Object(
  { name: Name, nomineeType: oneOf(nomineeTypes), ...others },
  {
    examples: [
      {
        name: 'Player of the year',
        description: 'On and off the field.',
        nomineeType: 'user',
        shortlistSize: 8,
        badgeGuid: null,
      },
    ],
  },
)

export const UpdateCategoryBody = Type.Object(
  { name: Type.Optional(Name), nomineeType: Type.Optional(oneOf(nomineeTypes)), ...others },
  { examples: [{ description: 'On and off the field, all year.', shortlistSize: 10 }] },
)

const Label = Type.String({ minLength: 1, maxLength: maxLabelCharacters })
const Link = nullable(Type.String({ maxLength: maxAddressLength }))
const Identifier = Type.String({ minLength: 1, maxLength: 64 })

export const NominateBody = Type.Object(
  {
    target: Type.Optional({
      ...Identifier,
      description:
        'In categories of users, tournaments and teams: any identifier of a user, the GUID or id of a tournament, the GUID of a team.',
    }),
    label: Type.Optional({ ...Label, description: 'In categories of maps and other things: what is nominated.' }),
    link: Type.Optional(Link),
    reason: Type.Optional(
      Type.String({ maxLength: maxReasonCharacters, description: 'For managers, without your name.' }),
    ),
  },
  { examples: [{ label: 'A song', link: 'https://example.org/a-song', reason: 'Everybody has played it.' }] },
)

const nominee = {
  target: Type.Optional(
    nullable(
      Identifier,
      'The record that it stands for, as for a nomination. Left out, it is the one that all merged nominations name.',
    ),
  ),
  imageUrl: Type.Optional(
    nullable(
      Type.String({ maxLength: maxAddressLength }),
      'An address elsewhere, or of own media of the kind `award_image`; null for none.',
    ),
  ),
  link: Type.Optional(Link),
  description: Type.Optional(Type.String({ maxLength: maxNomineeDescriptionCharacters, description: 'Plain text.' })),
  nominations: Type.Optional(
    Type.Array(Guid, { maxItems: 5_000, description: 'All nominations that it stands for; others stand alone again.' }),
  ),
}

export const CreateNomineeBody = Type.Object(
  { label: Label, ...nominee },
  {
    examples: [
      { label: 'A song', link: 'https://example.org/a-song', description: 'By everybody.', nominations: [exampleGuid] },
    ],
  },
)

export const UpdateNomineeBody = Type.Object(
  { label: Type.Optional(Label), ...nominee },
  { examples: [{ label: 'A song, live', description: 'As it was played in spring.' }] },
)
