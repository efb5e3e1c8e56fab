/**
 * Makes a function that reads datapaths from objects in memory, for `EvaluationContext.valueOf`. The names of
 * attributes and relations must be names of properties. An array within the datapath gives the values of its elements,
 * and a missing object gives no value.
 * @param objects  the object of each root, such as `{ order }` for `order.customer.name`
 */
export function valuesOf(objects: Readonly<Record<string, unknown>>): (datapath: string) => unknown {
  return (datapath) => {
    let value: unknown = objects;
    for (const name of datapath.split('.')) value = step(value, name);
    return value;
  };
}

function step(value: unknown, name: string): unknown {
  if (Array.isArray(value))
    return value
      .flatMap((element: unknown) => (isObject(element) ? [element] : []))
      .flatMap((element) => element[name]);
  return isObject(value) ? value[name] : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
