import { describe, expect, it } from '@jest/globals';
import { LIMITS } from './limits.js';
import { scanKnownDatapath } from './known-datapaths.js';

const scan = (text: string, collections?: readonly { readonly name: string; readonly key: [{ name: string }] }[]) =>
  scanKnownDatapath(text, 0, { limits: LIMITS, ...(collections && { collections }) });

describe('a remembered datapath', () => {
  it('is the same object each time', () => {
    expect(scan('order.customer.name')).toBe(scan('order.customer.name == 1'));
    expect(scan('order.customer.name')).toEqual({ text: 'order.customer.name', names: ['order', 'customer', 'name'] });
  });

  it('is parsed again for a host with other collections', () => {
    const prices = [{ name: 'prices', key: [{ name: 'currency' }] as [{ name: string }] }];
    expect(scan('order.prices.EUR').key).toBeUndefined();
    expect(scan('order.prices.EUR', prices).key).toEqual({ collection: 'prices', parts: ['EUR'] });
    expect(scan('order.prices.EUR').key).toBeUndefined();
  });

  it('is refused when it exceeds the limits of a host, even if it is known', () => {
    scan('order.customer.name');
    const limits = { ...LIMITS, pathSegments: 2 };
    expect(() => scanKnownDatapath('order.customer.name', 0, { limits })).toThrow(/at most 2 names/);
  });

  it('ends before the first token that is not part of the datapath', () => {
    expect(scan('order.id:').text).toBe('order.id');
    expect(() => scan('order.id.')).toThrow(/expected a name/);
    expect(() => scan('order.id.')).toThrow(/expected a name/);
  });

  it('is dropped when too many are remembered', () => {
    const first = scan('order.first');
    for (let index = 0; index <= 1_000; index++) scan(`order.a${index}`);
    expect(scan('order.first')).not.toBe(first);
    expect(scan('order.first')).toEqual(first);
  });
});
