(module
  (memory (export "memory") 2)
  (func (export "count") (param $end i32) (result i32)
    (local $at i32) (local $sum v128) (local $total i32) (local $stop i32)
    ;; blocks of 16 bytes; each lane of an i8 accumulator holds at most 255 before it is added up
    (block $done
      (loop $outer
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $sum (v128.const i8x16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0))
        (local.set $stop (i32.add (local.get $at) (i32.const 4064)))
        (if (i32.gt_u (local.get $stop) (local.get $end)) (then (local.set $stop (local.get $end))))
        (loop $inner
          (local.set $sum (i8x16.sub (local.get $sum)
            (i8x16.eq (v128.load (local.get $at)) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $inner (i32.lt_u (local.get $at) (local.get $stop))))
        (local.set $sum (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $sum))))
        (local.set $total (i32.add (local.get $total)
          (i32.add (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
                   (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))))
        (br $outer)))
    (local.get $total)))
