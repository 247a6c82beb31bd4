import type { Topics } from './generated.ts'

/** Derives the types of bodies from the names of topics and commands. */

type Segments<Path extends string> = Path extends `${infer First}/${infer Rest}` ? [First, ...Segments<Rest>] : [Path]

type PathOf<Name extends string> = Name extends `${infer Path}?${string}` ? Path : Name

/** Whether a segment matches a segment of a template; a segment known only at run time matches any parameter. */
type FitsSegment<Given extends string, Template extends string> = Template extends `{${string}}`
  ? true
  : string extends Given
    ? false
    : Given extends Template
      ? true
      : false

type Fits<Given extends readonly string[], Template extends readonly string[]> = Given extends [
  infer First extends string,
  ...infer Rest extends string[],
]
  ? Template extends [infer Expected extends string, ...infer Others extends string[]]
    ? FitsSegment<First, Expected> extends true
      ? Fits<Rest, Others>
      : false
    : false
  : Template extends []
    ? true
    : false

/** The member of `Bodies` whose path template matches a name; `unknown` for a name without one. */
export type BodyIn<Bodies, Name extends string> = Found<
  {
    [Template in keyof Bodies & string]: Fits<Segments<PathOf<Name>>, Segments<Template>> extends true
      ? Bodies[Template]
      : never
  }[keyof Bodies & string]
>

type Found<Body> = [Body] extends [never] ? unknown : Body

export type BodyOf<Name extends string> = BodyIn<Topics, Name>

interface CommandType {
  readonly params: object
  readonly query: object
  readonly body: unknown
}

/** A part that may be left out when all its members are optional. */
type Part<Name extends string, Type> =
  Record<never, never> extends Type ? { readonly [Key in Name]?: Type } : { readonly [Key in Name]: Type }

type BodyPart<Body> = undefined extends Body ? { readonly body?: Body } : { readonly body: Body }

export type InputOf<Command extends CommandType> = Part<'params', Command['params']> &
  Part<'query', Command['query']> &
  BodyPart<Command['body']> & {
    /** The revision or ETag that the record must have, where the operation accepts one. (RT26) */
    readonly ifMatch?: string
  }
