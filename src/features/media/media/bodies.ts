import { type Static, Type } from 'typebox'
import { maxNameCharacters } from './rules.ts'
import { MediaKindName } from './views.ts'

const identifier = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }))

const rightsConfirmed = Type.Optional(
  Type.Boolean({ description: 'Videos and fonts need it: that you may use them, and have others see them here.' }),
)
const name = Type.Optional(
  Type.String({ maxLength: 500, description: `Cut to ${maxNameCharacters} characters; the file’s unless given.` }),
)

/** Fields of the form next to the file. They may also be given in the query. */
export const uploadMembers = {
  kind: Type.Optional(MediaKindName),
  tournament: identifier('GUID or short id, for kinds that belong to one.'),
  team: identifier('GUID, or short id in the tournament that is named; for `team_image`.'),
  platform: identifier('Context id; for `platform_image`.'),
  name,
  rightsConfirmed,
}

export const UploadBody = Type.Object(uploadMembers)
export type UploadBody = Static<typeof UploadBody>
