import { type Resource } from '@ats/domain';

let lastNumber = 0;
/** Returns a new number at each call within a spec file. */
export const nextNumber = (): number => ++lastNumber;

/** Makes values for the unique properties of a resource. */
export const uniqueProperties = ({ type }: Resource): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.values(type.uniques).map((pointer) => {
      const name = pointer.slice(1);
      const text = `unique-${nextNumber()}`;
      return [name, type.attributes[name]?.format === 'email' ? `${text}@example.com` : text];
    }),
  );
